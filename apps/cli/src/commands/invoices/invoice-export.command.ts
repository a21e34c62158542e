import { resolve } from 'node:path';

import { InvoiceDocumentReader, InvoiceStore } from '@commerce/invoices';
import { Command, Option } from 'nest-commander';

import type { Outcome } from '../../admin-command.js';
import { withProgress } from '../../output/progress.js';
import { ServiceContext } from '../../service-context.js';
import { ExportFolder } from './export-folder.js';
import { InvoiceRangeCommand, type RangeOptions } from './invoice-range.js';

interface Options extends RangeOptions {
  readonly folder: string;
}

@Command({
  name: 'invoice:export',
  description: 'writes invoices and credit notes as PDF and XML to a folder, with a CSV file of them',
})
export class InvoiceExportCommand extends InvoiceRangeCommand<Options> {
  constructor(protected readonly service: ServiceContext) {
    super();
  }

  async perform({ folder: given, ...options }: Options): Promise<Outcome> {
    const { company, filter } = await this.asked(options);
    const reader = await this.service.get(InvoiceDocumentReader);
    const store = (await this.service.get(InvoiceStore)).in(company._id);
    const folder = new ExportFolder(resolve(given), reader);
    const total = await store.count(filter);
    const oldestFirst = store.stream(filter, { created: 1, _id: 1 });
    const counts = await withProgress((progress) =>
      folder.write(oldestFirst, (done) => progress(done, total, 'documents')),
    );
    const { documents, made, withoutXml } = counts;
    const lines = [
      `${String(documents)} documents in ${folder.path}: ${String(made)} of their files are new.`,
      ...(withoutXml === 0
        ? []
        : [
            `${String(withoutXml)} have no XML, because they lack data that it must have: see ${folder.list}.`,
          ]),
    ];
    return { json: { folder: folder.path, ...counts }, lines };
  }

  @Option({
    flags: '--folder <path>',
    required: true,
    description: 'the folder; what it has already is kept',
  })
  readFolder(value: string): string {
    return value;
  }
}
