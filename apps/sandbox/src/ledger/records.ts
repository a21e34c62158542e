/** What the sandbox keeps. Amounts are integers in minor units, `created` is in seconds, currencies are lower case. */

export type Metadata = Readonly<Record<string, string>>;
/** A free nested object of the caller (addresses, shipping), kept as it came. */
export type Nested = Readonly<Record<string, unknown>>;

interface Kept<K extends string> {
  readonly kind: K;
  readonly id: string;
  readonly account: string;
  /** Place in the order of creation, unique in the ledger: lists page by it. */
  readonly seq: number;
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

export interface PaymentMethodRecord extends Kept<'payment_method'> {
  /** Name of the test card behind it. The number itself is never kept. */
  readonly card: string;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly customer: string | null;
  /** Authentication was done once for charges without the customer present. */
  readonly set_up: boolean;
  /** Charged without a customer, or detached: it can be neither charged nor attached again. */
  readonly spent: boolean;
  readonly billing_details: Nested | null;
  readonly metadata: Metadata;
}

/** A refusal as it stands in `last_payment_error`, `last_setup_error` and in the body of a 402. */
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
  'requires_payment_method' | 'requires_confirmation' | 'requires_action' | 'succeeded' | 'canceled';

export interface SetupIntentRecord extends Kept<'setup_intent'> {
  readonly secret: string;
  readonly status: SetupStatus;
  readonly customer: string | null;
  readonly payment_method: string | null;
  readonly usage: 'off_session' | 'on_session';
  readonly description: string | null;
  readonly return_url: string | null;
  readonly cancellation_reason: string | null;
  readonly allowed_types: readonly string[] | null;
  readonly error: CardRefusal | null;
  readonly metadata: Metadata;
}

export type PaymentStatus = SetupStatus | 'processing';

export interface PaymentIntentRecord extends Kept<'payment_intent'> {
  readonly secret: string;
  readonly status: PaymentStatus;
  readonly amount: number;
  readonly currency: string;
  readonly customer: string | null;
  readonly payment_method: string | null;
  readonly description: string | null;
  readonly receipt_email: string | null;
  readonly shipping: Nested | null;
  readonly statement_descriptor: string | null;
  readonly statement_descriptor_suffix: string | null;
  readonly setup_future_usage: 'off_session' | 'on_session' | null;
  readonly return_url: string | null;
  /** Whether payment methods that redirect are welcome; null where the allowed types were listed instead. */
  readonly allow_redirects: 'always' | 'never' | null;
  readonly allowed_types: readonly string[] | null;
  readonly latest_charge: string | null;
  readonly canceled_at: number | null;
  readonly cancellation_reason: string | null;
  readonly error: CardRefusal | null;
  /** The card asked for the customer although it never does by itself (scripted): ask again when they are there. */
  readonly challenge: boolean;
  readonly metadata: Metadata;
}

export interface ChargeRecord extends Kept<'charge'> {
  readonly status: 'succeeded' | 'pending' | 'failed';
  readonly amount: number;
  readonly amount_refunded: number;
  readonly currency: string;
  readonly customer: string | null;
  readonly payment_intent: string;
  readonly payment_method: string;
  readonly card: string;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly authenticated: boolean;
  readonly disputed: boolean;
  readonly failure: Pick<CardRefusal, 'code' | 'decline_code' | 'advice_code' | 'message'> | null;
  readonly description: string | null;
  readonly receipt_email: string | null;
  readonly metadata: Metadata;
}

export interface RefundRecord extends Kept<'refund'> {
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly amount: number;
  readonly currency: string;
  readonly charge: string;
  readonly payment_intent: string;
  readonly reason: string | null;
  readonly failure_reason: string | null;
  readonly metadata: Metadata;
}

export interface DisputeRecord extends Kept<'dispute'> {
  readonly status:
    'needs_response' | 'under_review' | 'won' | 'lost' | 'warning_needs_response' | 'warning_closed';
  readonly amount: number;
  readonly currency: string;
  readonly charge: string;
  readonly payment_intent: string;
  readonly reason: string;
  readonly metadata: Metadata;
}

/** How a customer's cards behave from now on; its id is the customer's with a prefix. Outcome names: cards/outcomes.ts. */
export interface BehaviourRecord extends Kept<'behaviour'> {
  readonly next: readonly string[];
  readonly from_now: string | null;
  readonly next_refunds: readonly string[];
  /** The least that a charge of this customer takes; absent in journals of earlier versions. */
  readonly minimum?: number | null;
}

/** Remembers that a fault which strikes once per operation has struck. */
export interface FaultMarkRecord extends Kept<'fault_mark'> {
  readonly spent: true;
}

export type TaskAction =
  | { readonly do: 'settle_payment'; readonly payment_intent: string; readonly succeed: boolean }
  | { readonly do: 'settle_refund'; readonly refund: string; readonly succeed: boolean }
  | {
      readonly do: 'open_dispute';
      readonly charge: string;
      readonly reason: string;
      readonly inquiry: boolean;
    };

/** Something that happens by itself at `due` (milliseconds), also across restarts. */
export interface TaskRecord extends Kept<'task'> {
  readonly due: number;
  readonly done: boolean;
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
