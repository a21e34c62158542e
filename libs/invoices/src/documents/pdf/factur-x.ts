const NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

/** The name that Factur-X gives to the XML within the PDF. */
export const FACTUR_X_FILE = 'factur-x.xml';

const PROPERTIES = [
  ['DocumentFileName', 'INVOICE: name of the embedded XML document', FACTUR_X_FILE],
  ['DocumentType', 'INVOICE', 'INVOICE'],
  ['Version', 'The actual version of the standard applying to the embedded XML document', '1.0'],
  ['ConformanceLevel', 'The conformance level of the embedded XML document', 'EN 16931'],
] as const;

/** Declares the properties below, which PDF/A requires of those that it does not know. */
const SCHEMA =
  '<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>' +
  `<pdfaSchema:namespaceURI>${NAMESPACE}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix>` +
  `<pdfaSchema:property><rdf:Seq>${PROPERTIES.map(([name, description]) => propertyOf(name, description)).join('')}` +
  '</rdf:Seq></pdfaSchema:property></rdf:li>';

const DESCRIPTION =
  `<rdf:Description rdf:about="" xmlns:fx="${NAMESPACE}">` +
  `${PROPERTIES.map(([name, , value]) => `<fx:${name}>${value}</fx:${name}>`).join('')}</rdf:Description>`;

function propertyOf(name: string, description: string): string {
  return (
    `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name>` +
    '<pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category>' +
    `<pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`
  );
}

/**
 * Names the embedded XML in the metadata of a PDF/A, as Factur-X requires: an incremental update replaces the metadata
 * object. Typst cannot write these properties itself.
 * @throws Error where the PDF is not written as Typst writes it
 */
export function withFacturX(pdf: Buffer): Buffer {
  const object = metadataOf(pdf);
  const content = Buffer.from(extended(object.xmp), 'utf8');
  const parts = [
    Buffer.from(
      `\n${object.number} 0 obj\n<<\n  /Length ${content.length}\n  /Type /Metadata\n  /Subtype /XML\n>>\nstream\n`,
    ),
    content,
    Buffer.from('\nendstream\nendobj\n\n'),
  ];
  const start = pdf.length + 1;
  const table = pdf.length + parts.reduce((sum, { length }) => sum + length, 0);
  const { entries, previous } = trailerOf(pdf);
  const offset = String(start).padStart(10, '0');
  const update =
    `xref\n${object.number} 1\n${offset} 00000 n \ntrailer\n<<\n${entries}\n  /Prev ${previous}\n>>\n` +
    `startxref\n${table}\n%%EOF\n`;
  return Buffer.concat([pdf, ...parts, Buffer.from(update)]);
}

function extended(xmp: string): string {
  const schemas = '</rdf:Bag></pdfaExtension:schemas>';
  const end = '</rdf:RDF>';
  if (!xmp.includes(schemas) || !xmp.includes(end)) throw unknownForm('metadata');
  return xmp.replace(schemas, `${SCHEMA}${schemas}`).replace(end, `${DESCRIPTION}${end}`);
}

function metadataOf(pdf: Buffer): { readonly number: number; readonly xmp: string } {
  const type = pdf.lastIndexOf('/Type /Metadata');
  const head = pdf.lastIndexOf(' 0 obj', type);
  const from = pdf.indexOf('stream\n', type) + 'stream\n'.length;
  const to = pdf.indexOf('\nendstream', from);
  const number = /(\d+)$/.exec(pdf.toString('latin1', Math.max(0, head - 10), head))?.[1];
  if (type < 0 || head < 0 || to < 0 || number === undefined) throw unknownForm('metadata');
  return { number: Number(number), xmp: pdf.toString('utf8', from, to) };
}

/** The entries of the trailer, and the place of the table of objects before it. */
function trailerOf(pdf: Buffer): { readonly entries: string; readonly previous: string } {
  const text = pdf.toString('latin1', pdf.lastIndexOf('trailer'));
  const found = /^trailer\s*<<\s*\n(.*?)\s*>>\s*startxref\s+(\d+)\s+%%EOF/s.exec(text);
  const [, entries, previous] = found ?? [];
  if (entries === undefined || previous === undefined) throw unknownForm('trailer');
  return { entries, previous };
}

function unknownForm(what: string): Error {
  return new Error(`the PDF has no ${what} in the form that Typst writes`);
}
