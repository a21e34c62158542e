/** Returns the current instant. A use case reads it once and passes it down as `now`. */
export interface Clock {
  now(): Date;
}
