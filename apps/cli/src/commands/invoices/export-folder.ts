import { createWriteStream } from 'node:fs';
import { access, mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { inBatches } from '@commerce/data';
import {
  documentName,
  type InvoiceDocumentReader,
  type InvoiceFile,
  type InvoiceRecord,
} from '@commerce/invoices';
import { CSV_MARK, csvRow, isFault } from '@commerce/kernel';
import pMap from 'p-map';

import { EXPORT_COLUMNS, exportRows, type ExportRow } from './export-rows.js';

/** The counts that an export reports. */
export interface ExportCounts {
  readonly documents: number;
  /** Files that the folder did not have before. */
  readonly made: number;
  /** Documents that cannot be had as XML. */
  readonly withoutXml: number;
}

const LIST = 'invoices.csv';

/** Documents that are asked for at the same time; one is made at a time. */
const CONCURRENCY = 4;

/** Documents that are in memory. */
const BATCH = 50;

/**
 * A folder with the documents of a company as PDF and XML, and a list of them. The documents never change, so a file
 * that is there is right: an export that was interrupted goes on with the first that is missing.
 */
export class ExportFolder {
  readonly list: string;
  private documents = 0;
  private made = 0;
  private withoutXml = 0;

  constructor(
    readonly path: string,
    private readonly reader: InvoiceDocumentReader,
  ) {
    this.list = join(path, LIST);
  }

  /** Writes the files of these documents, and then the list, which appears whole. */
  async write(
    documents: AsyncIterable<InvoiceRecord>,
    progress: (done: number) => void,
  ): Promise<ExportCounts> {
    await mkdir(this.path, { recursive: true });
    const part = `${this.list}.part`;
    await pipeline(Readable.from(this.linesOf(documents, progress)), createWriteStream(part));
    await rename(part, this.list);
    const { made, withoutXml } = this;
    return { documents: this.documents, made, withoutXml };
  }

  private async *linesOf(
    documents: AsyncIterable<InvoiceRecord>,
    progress: (done: number) => void,
  ): AsyncGenerator<string> {
    yield `${CSV_MARK}${csvRow(EXPORT_COLUMNS)}`;
    for await (const row of this.rowsOf(documents, progress)) {
      yield csvRow(EXPORT_COLUMNS.map((column) => row[column]));
    }
  }

  private async *rowsOf(
    documents: AsyncIterable<InvoiceRecord>,
    progress: (done: number) => void,
  ): AsyncGenerator<ExportRow> {
    for await (const batch of inBatches(documents, BATCH)) {
      const rows = await pMap(batch, (one) => this.export(one), { concurrency: CONCURRENCY });
      for (const own of rows) {
        this.documents += 1;
        progress(this.documents);
        yield* own;
      }
    }
  }

  private async export(document: InvoiceRecord): Promise<ExportRow[]> {
    await this.keep(documentName(document.number, 'pdf'), () => this.reader.pdf(document));
    return exportRows(document, await this.keepXml(document));
  }

  /** Why the document has no XML; empty where it has one. */
  private async keepXml(document: InvoiceRecord): Promise<string> {
    try {
      await this.keep(documentName(document.number, 'xml'), () => this.reader.xml(document, 'ubl'));
      return '';
    } catch (error) {
      if (!isFault(error, 'invoice.incomplete')) throw error;
      this.withoutXml += 1;
      return error.message;
    }
  }

  /** Makes a file unless it is there. It appears whole: what an interruption leaves has another name. */
  private async keep(name: string, make: () => Promise<InvoiceFile>): Promise<void> {
    const path = join(this.path, name);
    if (await exists(path)) return;
    const { bytes } = await make();
    const part = `${path}.part`;
    const file = await open(part, 'w');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
    this.made += 1;
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
