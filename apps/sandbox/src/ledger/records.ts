/** The records of the sandbox. Amounts are in minor units, `created` is in seconds, currencies are lower case. */

export type Metadata = Readonly<Record<string, string>>;
/** A free nested object of the caller (addresses, shipping), kept as it came. */
export type Nested = Readonly<Record<string, unknown>>;

interface Kept<K extends string> {
  readonly kind: K;
  readonly id: string;
  readonly account: string;
  readonly created: number;
}

export interface CustomerRecord extends Kept<'customer'> {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly description: string | null;
  readonly address: Nested | null;
  readonly shipping: Nested | null;
  readonly default_payment_method: string | null;
  readonly metadata: Metadata;
  readonly deleted: boolean;
}

/** A test card with its expiry. The number is never kept. */
export interface CardInUse {
  readonly card: string;
  readonly exp_month: number;
  readonly exp_year: number;
}

export interface PaymentMethodRecord extends Kept<'payment_method'>, CardInUse {
  readonly customer: string | null;
  /** Authentication was done once for charges without the customer present. */
  readonly set_up: boolean;
  /** Charged without a customer, or detached: it can be neither charged nor attached again. */
  readonly spent: boolean;
  readonly billing_details: Nested | null;
  readonly metadata: Metadata;
}

/** A refusal as `last_payment_error`, `last_setup_error` and the body of a 402 show it. */
export interface CardRefusal {
  readonly type: 'card_error' | 'invalid_request_error';
  readonly code: string;
  readonly decline_code?: string;
  readonly advice_code?: string;
  readonly message: string;
  readonly charge?: string;
  readonly payment_method: string;
}

export type SetupStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'succeeded'
  | 'canceled';
export type PaymentStatus = SetupStatus | 'processing';

interface KeptIntent<K extends string, S extends PaymentStatus> extends Kept<K> {
  readonly secret: string;
  readonly status: S;
  readonly customer: string | null;
  readonly payment_method: string | null;
  readonly description: string | null;
  readonly return_url: string | null;
  readonly cancellation_reason: string | null;
  readonly allowed_payment_method_types: readonly string[] | null;
  readonly error: CardRefusal | null;
  readonly metadata: Metadata;
}

export interface SetupIntentRecord extends KeptIntent<'setup_intent', SetupStatus> {
  readonly usage: 'off_session' | 'on_session';
}

export interface PaymentIntentRecord extends KeptIntent<'payment_intent', PaymentStatus> {
  readonly amount: number;
  readonly currency: string;
  readonly receipt_email: string | null;
  readonly shipping: Nested | null;
  readonly statement_descriptor: string | null;
  readonly statement_descriptor_suffix: string | null;
  readonly setup_future_usage: 'off_session' | 'on_session' | null;
  /** Whether payment methods that redirect are allowed; null where the allowed types were listed instead. */
  readonly allow_redirects: 'always' | 'never' | null;
  readonly latest_charge: string | null;
  readonly canceled_at: number | null;
  /** A script asked for authentication that the card itself never needs: ask again when the customer is there. */
  readonly challenge: boolean;
}

export interface ChargeRecord extends Kept<'charge'>, CardInUse {
  readonly status: 'succeeded' | 'pending' | 'failed';
  readonly amount: number;
  readonly amount_refunded: number;
  readonly currency: string;
  readonly customer: string | null;
  readonly payment_intent: string;
  readonly payment_method: string;
  readonly authenticated: boolean;
  readonly disputed: boolean;
  readonly failure: Pick<CardRefusal, 'code' | 'decline_code' | 'advice_code' | 'message'> | null;
  readonly description: string | null;
  readonly receipt_email: string | null;
  readonly metadata: Metadata;
}

interface KeptOfCharge<K extends string, S extends string> extends Kept<K> {
  readonly status: S;
  readonly amount: number;
  readonly currency: string;
  readonly charge: string;
  readonly payment_intent: string;
  readonly metadata: Metadata;
}

export interface RefundRecord extends KeptOfCharge<'refund', 'pending' | 'succeeded' | 'failed'> {
  readonly reason: string | null;
  readonly failure_reason?: string;
}

type DisputeStatus =
  | 'needs_response'
  | 'under_review'
  | 'won'
  | 'lost'
  | 'warning_needs_response'
  | 'warning_closed';
export interface DisputeRecord extends KeptOfCharge<'dispute', DisputeStatus> {
  readonly reason: string;
}

/** The script of a customer's cards; its id is the customer's with a prefix. Outcome names: cards/outcomes.ts. */
export interface BehaviourRecord extends Kept<'behaviour'> {
  readonly next: readonly string[];
  readonly from_now: string | null;
  readonly next_refunds: readonly string[];
  /** The least that a charge of this customer takes. */
  readonly minimum: number | null;
}

/** Remembers that a fault which strikes once per operation has struck. */
export type FaultMarkRecord = Kept<'fault_mark'>;

export type TaskAction =
  | { readonly do: 'settle_payment'; readonly payment_intent: string; readonly succeed: boolean }
  | { readonly do: 'settle_refund'; readonly refund: string; readonly succeed: boolean }
  | {
      readonly do: 'open_dispute';
      readonly charge: string;
      readonly reason: string;
      readonly inquiry: boolean;
    };

/** Work that the sandbox does by itself at `due` (milliseconds), also across restarts. */
export interface TaskRecord extends Kept<'task'> {
  readonly due: number;
  readonly action: TaskAction;
}

export interface RecordOf {
  customer: CustomerRecord;
  payment_method: PaymentMethodRecord;
  setup_intent: SetupIntentRecord;
  payment_intent: PaymentIntentRecord;
  charge: ChargeRecord;
  refund: RefundRecord;
  dispute: DisputeRecord;
  behaviour: BehaviourRecord;
  fault_mark: FaultMarkRecord;
  task: TaskRecord;
}
export type Kind = keyof RecordOf;
export type AnyRecord = RecordOf[Kind];

/** The lists in which a record stands: its account's, and those of the records that it belongs to. */
export function scopesOf(record: AnyRecord): readonly (string | null)[] {
  switch (record.kind) {
    case 'customer':
      return record.deleted ? [] : [record.account];
    case 'payment_method':
      return [record.customer];
    case 'setup_intent':
    case 'payment_intent':
      return [record.account, record.customer];
    case 'charge':
      return [record.account, record.payment_intent, record.customer];
    case 'refund':
    case 'dispute':
      return [record.account, record.charge, record.payment_intent];
    case 'task':
      return [record.account];
    case 'behaviour':
    case 'fault_mark':
      return [];
  }
}
