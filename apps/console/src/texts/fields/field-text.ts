/** The words of a field for people; its rules are those that the service describes. */
export interface FieldText {
  readonly label: string;
  /** Explains the field. */
  readonly help?: string;
  /** Names the default that an empty field stands for. */
  readonly empty?: string;
  /** Whether an admin must fill it in, though others need not. */
  readonly isNeeded?: boolean;
  /** Whether an untouched box is ticked, where the service describes no default. */
  readonly standard?: boolean;
  /** The values of a choice. */
  readonly choices?: Readonly<Record<string, string>>;
}

export type FieldTexts = Readonly<Record<string, FieldText>>;
