import type { ReactNode } from 'react';

import { countryName } from '../../app/code-names';
import { calendarDay, count, money } from '../../app/format';
import { signedMoney } from '../../lists/document-amounts';
import type { Column } from '../../lists/record-list';
import { ShortTable } from '../../lists/short-table';
import { T } from '../../texts';
import { Section } from '../../ui/parts';
import type { Invoice } from './model';

type Content = Invoice['content'];
type Line = Content['lines'][number];

/** The content of a document: seller and buyer, the lines, and their sums. */
export function InvoiceContent({ invoice: { content } }: { readonly invoice: Invoice }): ReactNode {
  return (
    <div>
      <div className="columns parties">
        <Party title={T.invoice.seller} lines={sellerLines(content.seller)} />
        <Party title={T.invoice.buyer} lines={buyerLines(content.buyer)} />
      </div>
      <Section title={T.invoice.lines}>
        <ShortTable title={T.invoice.lines} columns={columnsOf(content)} rows={content.lines} />
        <Sums content={content} />
      </Section>
    </div>
  );
}

interface PartyProps {
  readonly title: string;
  readonly lines: readonly (string | null)[];
}

function Party({ title, lines }: PartyProps): ReactNode {
  const [name, ...others] = lines.filter((line) => line !== null);
  return (
    <Section title={title}>
      <address className="party">
        <strong>{name ?? T.unnamed}</strong>
        {others.map((line) => (
          <span key={line}>{line}</span>
        ))}
      </address>
    </Section>
  );
}

function sellerLines({ name, address, vat_id, tax_number, email }: Content['seller']): (string | null)[] {
  const numbers = [
    vat_id === null ? null : T.invoice.vatId(vat_id),
    tax_number === null ? null : T.invoice.taxNumber(tax_number),
  ];
  return [name, ...addressLines(address), ...numbers, email];
}

function buyerLines({ company, name, address, vat_id, email }: Content['buyer']): (string | null)[] {
  const vat = vat_id === null ? null : T.invoice.vatId(vat_id);
  return [company, name, ...addressLines(address), vat, email];
}

function addressLines(address: Content['buyer']['address']): (string | null)[] {
  if (address === null) return [];
  const { line1, line2, postal_code, city, region, country } = address;
  const town = [postal_code, city].filter((text) => text !== null).join(' ');
  return [line1, line2, town === '' ? null : town, region, countryName(country)];
}

function columnsOf({ currency, prices, kind }: Content): readonly Column<Line>[] {
  return [
    { title: T.invoice.what, show: (line) => <What {...{ line, currency }} /> },
    { title: T.invoice.quantity, align: 'right', minor: true, show: ({ quantity }) => count(quantity) },
    {
      title: T.invoice.price[prices],
      align: 'right',
      minor: true,
      show: ({ unit_price }) => money(unit_price, currency),
    },
    {
      title: T.invoice.rate,
      align: 'right',
      minor: true,
      show: ({ tax_rate }) => T.records.percent(tax_rate),
    },
    {
      title: T.invoice.net,
      align: 'right',
      show: ({ net }) => signedMoney({ kind, currency }, net),
    },
  ];
}

function What({ line, currency }: { readonly line: Line; readonly currency: string }): ReactNode {
  const { description, reason, share, service_period: period, discount } = line;
  const details = [
    reason === null ? null : T.invoice.reasons[reason],
    share === null ? null : T.invoice.share[share.unit](share.part, share.of),
    period === null ? null : T.invoice.period(calendarDay(period.start), calendarDay(period.end)),
    discount === 0 ? null : T.invoice.discount(money(discount, currency)),
  ].filter((text) => text !== null);
  return (
    <span className="whole">
      <strong>{description}</strong>
      {details.length > 0 && <span className="quiet small"> {details.join(' · ')}</span>}
    </span>
  );
}

function Sums({ content }: { readonly content: Content }): ReactNode {
  const { kind, currency, taxes, totals, seller_tax, credit_applied, paid } = content;
  const shown = (amount: number): string => signedMoney(content, amount);
  return (
    <ul className="sums">
      <Sum name={T.invoice.sumNet} amount={shown(totals.net)} />
      {taxes.map(({ category, rate, country, net, tax, reason }) => (
        <Sum
          key={`${category} ${String(rate)} ${String(country)}`}
          name={T.invoice.sumTax(rateText(rate, country), shown(net))}
          note={reason}
          amount={shown(tax)}
        />
      ))}
      {seller_tax !== null && <SellerTax {...{ content, own: seller_tax }} />}
      <Sum name={T.invoice.sumGross} amount={shown(totals.gross)} look="strong" />
      {credit_applied > 0 && (
        <Sum name={T.invoice.credit[kind]} amount={money(credit_applied, currency)} look="quiet" />
      )}
      {paid > 0 && <Sum name={T.invoice.paid[kind]} amount={money(paid, currency)} look="quiet" />}
    </ul>
  );
}

interface SellerTaxProps {
  readonly content: Content;
  readonly own: NonNullable<Content['seller_tax']>;
}

/** The VAT in the currency of the seller, and the rate by which it is stated. */
function SellerTax({ content: { kind, currency }, own }: SellerTaxProps): ReactNode {
  const rate = `${own.currency} 1 = ${currency} ${String(own.rate)}`;
  const name = T.invoice.sellerTax(own.currency, rate, calendarDay(own.day));
  return <Sum name={name} amount={signedMoney({ kind, currency: own.currency }, own.tax)} look="quiet" />;
}

/** A rate, and the country whose VAT it is. */
function rateText(rate: number, country: string | null): string {
  const percent = T.records.percent(rate);
  return country === null || rate === 0 ? percent : `${percent} (${countryName(country)})`;
}

interface SumProps {
  readonly name: string;
  readonly amount: string;
  readonly note?: string | null;
  readonly look?: string;
}

function Sum({ name, amount, note = null, look }: SumProps): ReactNode {
  return (
    <li className={look}>
      <span>
        {name}
        {note !== null && <span className="quiet small"> {note}</span>}
      </span>
      <span>{amount}</span>
    </li>
  );
}
