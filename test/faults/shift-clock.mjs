/** Preloaded into a process to shift its clock by CLOCK_OFF_MS. */
const off = Number(process.env.CLOCK_OFF_MS ?? 0);
const MachineDate = globalThis.Date;

globalThis.Date = class Date extends MachineDate {
  /** @param {any[]} values */
  constructor(...values) {
    // @ts-expect-error each of the constructors takes the arguments that it receives
    super(...(values.length === 0 ? [MachineDate.now() + off] : values));
  }

  static now() {
    return MachineDate.now() + off;
  }
};
