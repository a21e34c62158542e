/** When one piece of work is looked at again, and how often in a row the provider gave no answer about it. */
export interface WorkCheck {
  readonly at: Date;
  readonly tries: number;
}
