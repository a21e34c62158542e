import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { money } from '../../app/format';
import type { Column } from '../../lists/record-list';
import { ShortTable } from '../../lists/short-table';
import { T } from '../../texts';
import { Section } from '../../ui/parts';
import type { Order } from './model';

type Item = Order['items'][number];

interface Vat {
  readonly rate: number;
  readonly vat: number;
}

/** The parts of a stored breakdown that the page adds up. */
interface Part {
  readonly input?: { readonly tax_behavior?: string };
  readonly vat?: readonly Vat[];
}

/** The items of an order, and how they add up to its amount. */
export function OrderItems({ order }: { readonly order: Order }): ReactNode {
  const { items, currency, amount, coupon } = order;
  const off = items.reduce((sum, item) => sum + item.coupon, 0);
  const { parts = [] } = order.breakdown as { readonly parts?: readonly Part[] };
  return (
    <Section title={T.order.items}>
      <ShortTable title={T.order.items} columns={columnsIn(currency)} rows={items} />
      <ul className="sums">
        {off > 0 && (
          <li>
            <span>{T.order.couponOff(coupon ?? '')}</span>
            <span>{money(-off, currency)}</span>
          </li>
        )}
        {parts.flatMap(({ vat = [], input }) =>
          vat
            .filter((one) => one.rate > 0)
            .map(({ rate, vat: part }) => (
              <li key={String(rate)} className="quiet">
                <span>{vatText(rate, input?.tax_behavior)}</span>
                <span>{money(part, currency)}</span>
              </li>
            )),
        )}
        <li className="strong">
          <span>{T.order.total}</span>
          <span>{money(amount, currency)}</span>
        </li>
      </ul>
    </Section>
  );
}

function vatText(rate: number, behavior: string | undefined): string {
  const percent = T.records.percent(rate);
  return behavior === 'exclusive' ? T.order.vat(percent) : T.order.vatInside(percent);
}

function columnsIn(currency: string): readonly Column<Item>[] {
  return [
    { title: T.order.product, show: (item) => <Product item={item} /> },
    { title: T.order.quantity, align: 'right', show: ({ quantity }) => quantity },
    {
      title: T.order.price,
      align: 'right',
      minor: true,
      show: ({ final_price, sub_products }) =>
        money(
          sub_products.reduce((sum, one) => sum + one.final_price, final_price),
          currency,
        ),
    },
    { title: T.order.amount, align: 'right', show: ({ amount }) => money(amount, currency) },
  ];
}

function Product({ item }: { readonly item: Item }): ReactNode {
  const { product, name, sub_products, discount } = item;
  const beside = [
    sub_products.length === 0 ? '' : T.order.with(sub_products.map((one) => one.name).join(', ')),
    discount === 0 ? '' : T.order.discount(T.records.percent(discount)),
  ].filter((text) => text !== '');
  return (
    <>
      <Link href={`/products?id=${product}`}>{name}</Link>
      {beside.length > 0 && <span className="quiet"> · {beside.join(' · ')}</span>}
    </>
  );
}
