const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Markup that is safe to insert. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = string | Html | readonly Html[];

/** Builds markup with its values escaped; markup values are inserted unchanged. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((text, part, index) => text + textOf(values[index - 1] ?? '') + part));
}

function textOf(value: Value): string {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (found) => ENTITIES[found] ?? found);
  return value instanceof Html ? value.text : value.map(({ text }) => text).join('');
}
