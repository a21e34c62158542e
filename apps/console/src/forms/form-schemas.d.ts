/** The part of the API document that forms need, by the console's build. */
declare module 'virtual:form-schemas' {
  const schemas: Readonly<Record<string, import('./schema').Schema>>;
  export default schemas;
}
