/** Gives the current instant. Read once per use case and passed down as `now`; nothing else reads the time. */
export interface Clock {
  now(): Date;
}
