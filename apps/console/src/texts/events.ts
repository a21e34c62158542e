export const events = {
  events: {
    lead: 'Everything that happens, the newest first, as webhooks are told of it.',
    kind: 'Kind',
    object: 'Id of a record',
    wrongId: 'An id has 24 digits, 0 to 9 and a to f.',
    pause: 'Pause',
    follow: 'Follow',
    following: 'Following: new events appear by themselves.',
    paused: 'Paused: nothing new appears.',
    empty:
      'Nothing has happened yet. Events appear here as soon as a customer, an order, a subscription or a payment is made.',
    noMatch: 'No event matches. New ones appear by themselves.',
    most: (many: number) => `The newest ${String(many)} are shown.`,
    what: 'What happened',
    record: 'Record',
    changed: 'What changed',
    before: 'Before',
    after: 'The record after it',
  },
};
