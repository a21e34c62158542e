import type { FaultDetails } from '@commerce/kernel';

import type { InvoiceContent } from '../content/invoice-content.js';

/** The forms of a document that the rendering process makes. */
export type RenderedForm = 'pdf' | 'cii' | 'ubl';

/** Sent to the rendering process, which answers each with one reply before it gets the next. */
export interface DocumentRequest {
  readonly form: RenderedForm;
  readonly content: InvoiceContent;
  /** PNG; for the PDF only. */
  readonly logo: Uint8Array | null;
}

export type DocumentReply =
  /** `memory`: of the process, in bytes. */
  | { readonly kind: 'made'; readonly bytes: Uint8Array; readonly memory: number }
  /** The document cannot be made: a fault of its code. */
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly message: string;
      readonly details: FaultDetails;
    }
  | { readonly kind: 'failed'; readonly error: string };
