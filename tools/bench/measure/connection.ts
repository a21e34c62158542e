/** How a bare side speaks to the database: as the service's own connection does. */
export const CONNECTION = {
  writeConcern: { w: 'majority', journal: true },
  readConcern: { level: 'majority' },
  retryWrites: true,
  maxPoolSize: 50,
};
