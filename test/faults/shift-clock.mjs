/** Loaded into a process before all else: from then on its machine's clock is off by CLOCK_OFF_MS. */
const off = Number(process.env.CLOCK_OFF_MS ?? 0);
const MachineDate = globalThis.Date;

globalThis.Date = class Date extends MachineDate {
  /** @param {any[]} values */
  constructor(...values) {
    // @ts-expect-error each of the constructors takes what it is given
    super(...(values.length === 0 ? [MachineDate.now() + off] : values));
  }

  static now() {
    return MachineDate.now() + off;
  }
};
