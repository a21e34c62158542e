import { Choice } from '@commerce/records';

/** CII is the syntax of Factur-X, UBL that of Peppol. */
const INVOICE_SYNTAXES = ['ubl', 'cii'] as const;
export type InvoiceSyntax = (typeof INVOICE_SYNTAXES)[number];

export class InvoiceXmlQuery {
  @Choice(INVOICE_SYNTAXES, { default: 'ubl', fold: 'lower', description: 'the syntax of EN 16931' })
  syntax: InvoiceSyntax;
}
