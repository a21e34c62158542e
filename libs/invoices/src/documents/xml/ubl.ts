import type { InvoiceContent, PostalAddress, ServicePeriod } from '../../content/invoice-content.js';
import { electronicInvoice } from './electronic-invoice.js';
import type {
  ElectronicInvoice,
  ElectronicLine,
  ElectronicTax,
  ElectronicTaxRate,
} from './electronic-invoice.js';
import type { ElectronicParty } from './electronic-party.js';
import { requireComplete } from './electronic-requirements.js';
import { xmlText, type XmlChildren } from './xml-text.js';

const EN_16931 = 'urn:cen.eu:en16931:2017';
const PEPPOL = `${EN_16931}#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0`;
const PEPPOL_BILLING = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';

/**
 * The UBL document, an Invoice or a CreditNote: by Peppol BIS Billing 3.0 where Peppol can carry it, else by EN 16931.
 * @throws Fault `invoice.incomplete` where the document lacks data that EN 16931 requires
 */
export function ublOf(content: InvoiceContent): string {
  const invoice = requireComplete(electronicInvoice(content));
  const root = content.kind === 'invoice' ? 'Invoice' : 'CreditNote';
  return xmlText({
    [root]: {
      '@xmlns': `urn:oasis:names:specification:ubl:schema:xsd:${root}-2`,
      '@xmlns:cac': 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
      '@xmlns:cbc': 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
      ...header(invoice),
      'cac:AccountingSupplierParty': { 'cac:Party': party(invoice.seller) },
      'cac:AccountingCustomerParty': { 'cac:Party': party(invoice.buyer) },
      'cac:Delivery': delivery(invoice),
      'cac:PaymentMeans': {
        'cbc:PaymentMeansCode': invoice.means,
        'cbc:PaymentID': invoice.means === null ? null : content.payment.reference,
      },
      'cac:TaxTotal': [taxTotal(invoice), sellerTaxTotal(invoice)],
      'cac:LegalMonetaryTotal': monetaryTotal(invoice),
      [`cac:${root}Line`]: invoice.lines.map((line) => lineOf(line, content)),
    },
  });
}

function header({ content, isPeppol, reference, order, contract }: ElectronicInvoice): XmlChildren {
  const { kind, preceding } = content;
  return {
    'cbc:CustomizationID': isPeppol ? PEPPOL : EN_16931,
    'cbc:ProfileID': isPeppol ? PEPPOL_BILLING : null,
    'cbc:ID': content.number,
    'cbc:IssueDate': content.issue_date,
    ...(kind === 'invoice' ? { 'cbc:InvoiceTypeCode': '380' } : { 'cbc:CreditNoteTypeCode': '381' }),
    'cbc:Note': content.seller.footer,
    'cbc:DocumentCurrencyCode': content.currency,
    'cbc:TaxCurrencyCode': content.seller_tax?.currency ?? null,
    'cbc:BuyerReference': reference,
    'cac:InvoicePeriod': period(content.service_period),
    // An order of the seller stands beside that of the buyer, which Peppol names NA where there is none.
    'cac:OrderReference': order === null ? null : { 'cbc:ID': 'NA', 'cbc:SalesOrderID': order },
    'cac:BillingReference':
      preceding === null
        ? null
        : {
            'cac:InvoiceDocumentReference': {
              'cbc:ID': preceding.number,
              'cbc:IssueDate': preceding.issue_date,
            },
          },
    'cac:ContractDocumentReference': { 'cbc:ID': contract },
  };
}

function party(one: ElectronicParty): XmlChildren {
  const { endpoint, contact } = one;
  return {
    'cbc:EndpointID': endpoint === null ? null : { '@schemeID': endpoint.scheme, '#': endpoint.id },
    'cac:PartyIdentification': { 'cbc:ID': one.id },
    'cac:PostalAddress': one.address === null ? null : postalAddress(one.address),
    'cac:PartyTaxScheme': [taxScheme('VAT', one.vat_id), taxScheme('TAX', one.tax_number)],
    'cac:PartyLegalEntity': { 'cbc:RegistrationName': one.name, 'cbc:CompanyID': one.legal_id },
    'cac:Contact': {
      'cbc:Name': contact.name,
      'cbc:Telephone': contact.phone,
      'cbc:ElectronicMail': contact.email,
    },
  };
}

function taxScheme(scheme: 'VAT' | 'TAX', number: string | null): XmlChildren | null {
  return number === null ? null : { 'cbc:CompanyID': number, 'cac:TaxScheme': { 'cbc:ID': scheme } };
}

function postalAddress({ line1, line2, postal_code, city, region, country }: PostalAddress): XmlChildren {
  return {
    'cbc:StreetName': line1,
    'cbc:AdditionalStreetName': line2,
    'cbc:CityName': city,
    'cbc:PostalZone': postal_code,
    'cbc:CountrySubentity': region,
    'cac:Country': { 'cbc:IdentificationCode': country },
  };
}

function delivery({ delivered, deliveredTo }: ElectronicInvoice): XmlChildren {
  return {
    'cbc:ActualDeliveryDate': delivered,
    'cac:DeliveryLocation': {
      'cac:Address': { 'cac:Country': { 'cbc:IdentificationCode': deliveredTo } },
    },
  };
}

function taxTotal({ content: { currency }, taxes, totals }: ElectronicInvoice): XmlChildren {
  return {
    'cbc:TaxAmount': money(totals.tax, currency),
    'cac:TaxSubtotal': taxes.map((tax) => subtotal(tax, currency)),
  };
}

/** The VAT in the seller's currency (BT-111). */
function sellerTaxTotal({ sellerTax }: ElectronicInvoice): XmlChildren | null {
  return sellerTax === null ? null : { 'cbc:TaxAmount': money(sellerTax.tax, sellerTax.currency) };
}

function subtotal({ net, tax, reason, code, ...rate }: ElectronicTax, currency: string): XmlChildren {
  return {
    'cbc:TaxableAmount': money(net, currency),
    'cbc:TaxAmount': money(tax, currency),
    'cac:TaxCategory': taxCategory(rate, {
      'cbc:TaxExemptionReasonCode': code,
      'cbc:TaxExemptionReason': reason,
    }),
  };
}

function taxCategory({ category, percent }: ElectronicTaxRate, exemption: XmlChildren): XmlChildren {
  return {
    'cbc:ID': category,
    'cbc:Percent': percent,
    ...exemption,
    'cac:TaxScheme': { 'cbc:ID': 'VAT' },
  };
}

function monetaryTotal({ content: { currency }, totals, zero }: ElectronicInvoice): XmlChildren {
  return {
    'cbc:LineExtensionAmount': money(totals.net, currency),
    'cbc:TaxExclusiveAmount': money(totals.net, currency),
    'cbc:TaxInclusiveAmount': money(totals.gross, currency),
    'cbc:PrepaidAmount': money(totals.gross, currency),
    'cbc:PayableAmount': money(zero, currency),
  };
}

function lineOf(line: ElectronicLine, { kind, currency }: InvoiceContent): XmlChildren {
  const quantity = { '@unitCode': 'C62', '#': line.quantity };
  return {
    'cbc:ID': line.id,
    ...(kind === 'invoice' ? { 'cbc:InvoicedQuantity': quantity } : { 'cbc:CreditedQuantity': quantity }),
    'cbc:LineExtensionAmount': money(line.net, currency),
    'cac:InvoicePeriod': period(line.period),
    'cac:AllowanceCharge': discount(line.discount, currency),
    'cac:Item': {
      'cbc:Description': line.note,
      'cbc:Name': line.name,
      'cac:ClassifiedTaxCategory': taxCategory(line, {}),
    },
    'cac:Price': {
      'cbc:PriceAmount': money(line.price, currency),
      'cbc:BaseQuantity': line.base === null ? null : { '@unitCode': 'C62', '#': line.base },
    },
  };
}

function discount(one: ElectronicLine['discount'], currency: string): XmlChildren | null {
  if (one === null) return null;
  return {
    'cbc:ChargeIndicator': 'false',
    'cbc:AllowanceChargeReasonCode': '95',
    'cbc:AllowanceChargeReason': one.reason,
    'cbc:Amount': money(one.amount, currency),
  };
}

function period(span: ServicePeriod | null): XmlChildren | null {
  return span === null ? null : { 'cbc:StartDate': span.start, 'cbc:EndDate': span.end };
}

function money(amount: string, currency: string): XmlChildren {
  return { '@currencyID': currency, '#': amount };
}
