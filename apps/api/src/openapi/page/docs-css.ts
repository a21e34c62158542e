/** How the page at /docs differs from plain Swagger UI: no top bar, calmer colours, and short lists of refusals. */
export const DOCS_CSS = `
  body { background: #fff; }
  .swagger-ui { font-family: system-ui, sans-serif; color: #1f2933; }
  .swagger-ui .topbar { display: none; }
  .swagger-ui .wrapper { max-width: 1100px; }
  .swagger-ui .info { margin: 32px 0 16px; }
  .swagger-ui .info .title { font-size: 32px; font-family: inherit; }
  .swagger-ui .info p, .swagger-ui .info li { font-size: 15px; line-height: 1.55; max-width: 75ch; margin: 0 0 12px; }
  .swagger-ui .scheme-container { position: sticky; top: 0; z-index: 2; padding: 10px 0; box-shadow: 0 1px 0 #d9dfe5; }
  .swagger-ui .scheme-container .schemes { align-items: center; }
  .swagger-ui .servers-title, .swagger-ui .servers { display: none; }
  .swagger-ui .opblock-tag { font-size: 20px; border-bottom: 1px solid #d9dfe5; font-family: inherit; }
  .swagger-ui .opblock-tag small { font-size: 14px; color: #52606d; }
  .swagger-ui .opblock { box-shadow: none; margin-bottom: 8px; }
  .swagger-ui .opblock .opblock-summary-path { font-size: 14px; max-width: 45%; }
  .swagger-ui .opblock .opblock-summary-description { font-size: 14px; color: #52606d; }
  .swagger-ui .opblock-description-wrapper p { font-size: 14px; line-height: 1.55; max-width: 80ch; }
  /* All refusals have one shape: the example of 422 stands for them; the others show their codes alone. */
  .swagger-ui .responses-table:not(.live-responses-table) tr.response:is([data-code^="4"], [data-code^="5"]):not([data-code="422"]) .response-col_description > :not(.response-col_description__inner) { display: none; }
  .swagger-ui .response-col_description .markdown ul { margin: 4px 0; padding-left: 18px; }
  @media (max-width: 640px) {
    .swagger-ui .wrapper { padding: 0 12px; }
    .swagger-ui .opblock-tag { flex-wrap: wrap; }
    .swagger-ui .opblock-tag small { flex-basis: 100%; padding: 0; }
    .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
    .swagger-ui .opblock .opblock-summary-path { max-width: 70%; overflow-wrap: anywhere; }
    .swagger-ui .opblock .opblock-summary-description { flex-basis: 100%; }
    .swagger-ui .opblock-body pre, .swagger-ui .highlight-code { max-width: 100%; overflow-x: auto; }
    .swagger-ui .info pre, .swagger-ui .info code { white-space: pre-wrap; overflow-wrap: anywhere; }
    .swagger-ui table, .swagger-ui table tbody, .swagger-ui table tr, .swagger-ui table td { display: block; width: auto; max-width: 100%; }
    .swagger-ui table thead { display: none; }
  }
`;
