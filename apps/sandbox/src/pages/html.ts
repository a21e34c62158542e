/** Markup that is already safe. */
export class Html {
  constructor(readonly text: string) {}
}

/** Markup with its values escaped; values that are markup themselves go in as they are. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html)[]): Html {
  return new Html(
    parts.reduce((text, part, index) => {
      const value = values[index - 1];
      return text + (value instanceof Html ? value.text : escaped(value ?? '')) + part;
    }),
  );
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (found) => `&#${String(found.charCodeAt(0))};`);
