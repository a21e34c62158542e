import { useState, type ReactNode } from 'react';

interface QuantityFieldProps {
  readonly label: string;
  readonly quantity: number;
  readonly onChange: (quantity: number) => void;
  /** The message at the field. */
  readonly problem?: string | undefined;
}

/** Keeps the typed text until the field is left: a cleared field must not become 1 before the next digit. */
export function QuantityField({ label, quantity, onChange, problem }: QuantityFieldProps): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <label className="field">
      <span>{label}</span>
      <input
        type="number"
        min="1"
        max="1000000"
        value={typed ?? quantity}
        aria-invalid={problem !== undefined}
        onChange={({ target }) => {
          setTyped(target.value);
          onChange(Math.max(1, Math.round(target.valueAsNumber) || 1));
        }}
        onBlur={() => setTyped(null)}
      />
      {problem !== undefined && <span className="wrong">{problem}</span>}
    </label>
  );
}
