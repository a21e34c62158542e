import type { InvoiceContent, PostalAddress, ServicePeriod } from '../../content/invoice-content.js';
import { electronicInvoice } from './electronic-invoice.js';
import type { ElectronicInvoice, ElectronicLine, ElectronicTax } from './electronic-invoice.js';
import type { ElectronicParty } from './electronic-party.js';
import { requireComplete } from './electronic-requirements.js';
import { EMPTY, xmlText, type XmlChildren } from './xml-text.js';

const NAMESPACES = {
  '@xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  '@xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  '@xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
  '@xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
};

/** The Factur-X profile that is EN 16931. */
const GUIDELINE = 'urn:cen.eu:en16931:2017';

/**
 * The Cross Industry Invoice (UN/CEFACT) of a document, as Factur-X embeds it.
 * @throws Fault `invoice.incomplete` where the document lacks data that EN 16931 requires
 */
export function ciiOf(content: InvoiceContent): string {
  const invoice = requireComplete(electronicInvoice(content));
  return xmlText({
    'rsm:CrossIndustryInvoice': {
      ...NAMESPACES,
      'rsm:ExchangedDocumentContext': {
        'ram:GuidelineSpecifiedDocumentContextParameter': { 'ram:ID': GUIDELINE },
      },
      'rsm:ExchangedDocument': {
        'ram:ID': content.number,
        'ram:TypeCode': content.kind === 'invoice' ? '380' : '381',
        'ram:IssueDateTime': dateTime(content.issue_date),
        'ram:IncludedNote': { 'ram:Content': content.seller.footer },
      },
      'rsm:SupplyChainTradeTransaction': {
        'ram:IncludedSupplyChainTradeLineItem': invoice.lines.map(lineItem),
        'ram:ApplicableHeaderTradeAgreement': agreement(invoice),
        'ram:ApplicableHeaderTradeDelivery': delivery(invoice),
        'ram:ApplicableHeaderTradeSettlement': settlement(invoice),
      },
    },
  });
}

function lineItem(line: ElectronicLine): XmlChildren {
  const basis = line.base === null ? null : { '@unitCode': 'C62', '#': line.base };
  return {
    'ram:AssociatedDocumentLineDocument': { 'ram:LineID': line.id },
    'ram:SpecifiedTradeProduct': { 'ram:Name': line.name, 'ram:Description': line.note },
    'ram:SpecifiedLineTradeAgreement': {
      'ram:NetPriceProductTradePrice': { 'ram:ChargeAmount': line.price, 'ram:BasisQuantity': basis },
    },
    'ram:SpecifiedLineTradeDelivery': { 'ram:BilledQuantity': { '@unitCode': 'C62', '#': line.quantity } },
    'ram:SpecifiedLineTradeSettlement': {
      'ram:ApplicableTradeTax': {
        'ram:TypeCode': 'VAT',
        'ram:CategoryCode': line.category,
        'ram:RateApplicablePercent': line.percent,
      },
      'ram:BillingSpecifiedPeriod': period(line.period),
      'ram:SpecifiedTradeAllowanceCharge': discount(line.discount),
      'ram:SpecifiedTradeSettlementLineMonetarySummation': { 'ram:LineTotalAmount': line.net },
    },
  };
}

function discount(one: ElectronicLine['discount']): XmlChildren | null {
  if (one === null) return null;
  return {
    'ram:ChargeIndicator': { 'udt:Indicator': 'false' },
    'ram:ActualAmount': one.amount,
    'ram:ReasonCode': '95',
    'ram:Reason': one.reason,
  };
}

function agreement({ reference, seller, buyer, order, contract }: ElectronicInvoice): XmlChildren {
  return {
    'ram:BuyerReference': reference,
    'ram:SellerTradeParty': party(seller),
    'ram:BuyerTradeParty': party(buyer),
    'ram:SellerOrderReferencedDocument': { 'ram:IssuerAssignedID': order },
    'ram:ContractReferencedDocument': { 'ram:IssuerAssignedID': contract },
  };
}

function party(one: ElectronicParty): XmlChildren {
  const { endpoint, contact } = one;
  return {
    'ram:ID': one.id,
    'ram:Name': one.name,
    'ram:SpecifiedLegalOrganization': { 'ram:ID': one.legal_id },
    'ram:DefinedTradeContact': {
      'ram:PersonName': contact.name,
      'ram:TelephoneUniversalCommunication': { 'ram:CompleteNumber': contact.phone },
      'ram:EmailURIUniversalCommunication': { 'ram:URIID': contact.email },
    },
    'ram:PostalTradeAddress': one.address === null ? null : postalAddress(one.address),
    'ram:URIUniversalCommunication':
      endpoint === null
        ? null
        : {
            'ram:URIID': { '@schemeID': endpoint.scheme, '#': endpoint.id },
          },
    'ram:SpecifiedTaxRegistration': [taxNumber('VA', one.vat_id), taxNumber('FC', one.tax_number)],
  };
}

function taxNumber(scheme: 'VA' | 'FC', number: string | null): XmlChildren | null {
  return number === null ? null : { 'ram:ID': { '@schemeID': scheme, '#': number } };
}

function postalAddress({ line1, line2, postal_code, city, region, country }: PostalAddress): XmlChildren {
  return {
    'ram:PostcodeCode': postal_code,
    'ram:LineOne': line1,
    'ram:LineTwo': line2,
    'ram:CityName': city,
    'ram:CountryID': country,
    'ram:CountrySubDivisionName': region,
  };
}

function delivery({ delivered, deliveredTo }: ElectronicInvoice): XmlChildren {
  if (delivered === null && deliveredTo === null) return EMPTY;
  return {
    'ram:ShipToTradeParty': { 'ram:PostalTradeAddress': { 'ram:CountryID': deliveredTo } },
    'ram:ActualDeliverySupplyChainEvent': {
      'ram:OccurrenceDateTime': delivered === null ? null : dateTime(delivered),
    },
  };
}

function settlement(invoice: ElectronicInvoice): XmlChildren {
  const { content, means, taxes, totals, sellerTax } = invoice;
  const { preceding, currency } = content;
  return {
    'ram:PaymentReference': content.payment.reference,
    'ram:TaxCurrencyCode': content.seller_tax?.currency ?? null,
    'ram:InvoiceCurrencyCode': currency,
    'ram:SpecifiedTradeSettlementPaymentMeans': { 'ram:TypeCode': means },
    'ram:ApplicableTradeTax': taxes.map(tradeTax),
    'ram:BillingSpecifiedPeriod': period(content.service_period),
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation': {
      'ram:LineTotalAmount': totals.net,
      'ram:TaxBasisTotalAmount': totals.net,
      'ram:TaxTotalAmount': [
        { '@currencyID': currency, '#': totals.tax },
        sellerTax === null ? null : { '@currencyID': sellerTax.currency, '#': sellerTax.tax },
      ],
      'ram:GrandTotalAmount': totals.gross,
      'ram:TotalPrepaidAmount': totals.gross,
      'ram:DuePayableAmount': invoice.zero,
    },
    'ram:InvoiceReferencedDocument':
      preceding === null
        ? null
        : {
            'ram:IssuerAssignedID': preceding.number,
            'ram:FormattedIssueDateTime': { 'qdt:DateTimeString': day(preceding.issue_date) },
          },
  };
}

function tradeTax({ tax, reason, net, category, code, percent }: ElectronicTax): XmlChildren {
  return {
    'ram:CalculatedAmount': tax,
    'ram:TypeCode': 'VAT',
    'ram:ExemptionReason': reason,
    'ram:BasisAmount': net,
    'ram:CategoryCode': category,
    'ram:ExemptionReasonCode': code,
    'ram:RateApplicablePercent': percent,
  };
}

function period(span: ServicePeriod | null): XmlChildren | null {
  if (span === null) return null;
  return { 'ram:StartDateTime': dateTime(span.start), 'ram:EndDateTime': dateTime(span.end) };
}

function dateTime(date: string): XmlChildren {
  return { 'udt:DateTimeString': day(date) };
}

/** Format 102 is CCYYMMDD. */
function day(date: string): XmlChildren {
  return { '@format': '102', '#': date.replaceAll('-', '') };
}
