import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NodeCompiler, type NodeError } from '@myriaddreamin/typst-ts-node-compiler';

import type { DocumentView } from '../view/document-view.js';
import { FACTUR_X_FILE, withFacturX } from './factur-x.js';
import type { DocumentFonts } from './fonts.js';
import { printableTexts } from './printable-text.js';

/** A folder that does not exist: the template finds what it is given, and no file of the machine. */
const WORKSPACE = '/documents';
const TEMPLATE = readFileSync(new URL('./assets/invoice.typ', import.meta.url), 'utf8');

/** PDF/A-3 that is accessible: its text can be read aloud, and it may have files within it. */
const STANDARD = 'a-3a';

export interface PdfParts {
  /** PNG */
  readonly logo: Uint8Array | null;
  /** CII; null for a document that cannot be an electronic invoice. */
  readonly xml: string | null;
}

/** Makes PDFs, one after the other. Each call occupies its thread; 1,000 lines take about a second. */
export class PdfRenderer {
  private readonly compiler: NodeCompiler;

  constructor(private readonly fonts: DocumentFonts) {
    this.compiler = NodeCompiler.create({
      workspace: WORKSPACE,
      fontArgs: [{ fontBlobs: [...fonts.files] }],
    });
  }

  /** @throws Error where the document cannot be made */
  render(view: DocumentView, { logo, xml }: PdfParts): Buffer {
    const { compiler } = this;
    try {
      if (logo !== null) compiler.mapShadow(join(WORKSPACE, 'logo.png'), Buffer.from(logo));
      if (xml !== null) compiler.mapShadow(join(WORKSPACE, FACTUR_X_FILE), Buffer.from(xml));
      const inputs = {
        view: JSON.stringify(printableTexts(view, this.fonts)),
        logo: logo === null ? 'no' : 'yes',
        xml: xml === null ? 'no' : 'yes',
      };
      const compiled = compiler.compile({ mainFileContent: TEMPLATE, inputs });
      const problem = compiled.takeDiagnostics();
      if (compiled.result === null || problem !== null) throw new Error(this.textOf(problem));
      const pdf = compiler.pdf(compiled.result, { pdfStandard: STANDARD });
      return xml === null ? pdf : withFacturX(pdf);
    } finally {
      compiler.resetShadow();
      // Typst remembers all that it has laid out, otherwise without end.
      compiler.evictCache(0);
    }
  }

  private textOf(problem: NodeError | null): string {
    return problem === null ? 'Typst made no document' : JSON.stringify(problem.shortDiagnostics);
  }
}
