export const webhooks = {
  webhooks: {
    lead: 'Which endpoints are told what, and how they answer.',
    event: 'Event',
    endpoint: 'Endpoint',
    lastDay: 'Last 24 hours',
    since: 'Since',
    moreKinds: (shown: string, more: number) => `${shown} and ${String(more)} more`,
    noneYet: 'Nothing sent',
    failedShare: (percent: number) => `${String(percent)} % failed`,
    empty:
      'No endpoint is told of anything yet. Choose New webhook: your shop then hears of each payment as it happens.',
    facts: (since: string, version: string) => `Since ${since}, with the headers of ${version}`,
    simulate: 'Send a test event',
    verify: 'Verify',
    asking: 'The endpoint is asked…',
    confirmed: 'The endpoint confirmed: it is sent events.',
    notConfirmed: 'The endpoint did not confirm: it did not answer with a status of 2XX.',
    deliveries: 'Deliveries',
    noDeliveries: 'Nothing was sent to this endpoint yet.',
    answer: 'Answer',
    attempts: 'Attempts',
    look: 'Details',
    open: 'Open',
    replies: 'Replies',
    request: 'Request',
    took: (ms: number) => `within ${String(ms)} ms`,
    noEvent: 'The event is no longer kept.',
    headers: 'Headers',
    sentBy: (attempt: number) => `As attempt ${String(attempt)} sent it`,
    willSend: 'As the next attempt will send it',
    asSent: 'Body, byte for byte',
    indented: 'The same, indented',
    unsigned: {
      not_sent: 'The signatures are made when it is sent.',
      interrupted: 'A worker died in this attempt: what it signed is not known.',
      secret_rotated: 'The secret was rotated after this attempt, so its signatures cannot be shown.',
    },
    retry: 'Send again',
    replay: 'Replay the event to all its endpoints',
    sending: 'It is being sent…',
    outcome: {
      accepted: (status: number, ms: number) =>
        `The endpoint accepted it: ${String(status)}, within ${String(ms)} ms.`,
      refused: (status: number, ms: number) =>
        `The endpoint refused it: ${String(status)}, within ${String(ms)} ms. Its reply is below.`,
      none: (error: string) => `The endpoint did not answer: ${error}.`,
      late: 'It was not sent within 20 seconds. A worker sends it when it comes to it: look again later.',
    },
    replayed: (many: number) =>
      `It is being sent to ${many === 1 ? '1 endpoint' : `${String(many)} endpoints`}.`,
    noAttempt: 'No attempt was made yet.',
    state: 'State',
    health: {
      off: (reason: string | null) =>
        reason === 'endpoint_gone'
          ? 'It is switched off: the endpoint answered that it is gone for good.'
          : reason === 'endpoint_failing'
            ? 'It is switched off: the endpoint accepted nothing for days. Change it to switch it on again.'
            : 'It is switched off: nothing is sent. Change it to switch it on again.',
      unverified: 'Nothing is sent before the endpoint confirms: choose Verify.',
      failing: (since: string, span: string) => `It has been failing since ${since} (${span}).`,
      delivering: 'It accepts what is sent.',
      idle: 'Nothing was sent to it in the last 24 hours.',
      lastSuccess: (span: string) => `The last success was ${span}.`,
      waiting: (many: number, shown: string, capped: boolean) =>
        capped
          ? `More than ${shown} deliveries wait.`
          : many === 1
            ? '1 delivery waits.'
            : `${shown} deliveries wait.`,
      uncounted: 'So many deliveries wait that they take too long to count.',
      next: (span: string) => `The next try is ${span}.`,
      nextNow: 'The next try is due now.',
      share: (attempts: string, percent: number) =>
        `Last 24 hours: ${attempts} attempts, ${String(percent)} % failed.`,
      incomplete: 'Only the newest 1,000 deliveries are counted.',
      byHour: 'By hour',
      hour: (from: string, attempts: number, failed: number) =>
        `From ${from}: ${String(attempts)} attempts, ${String(failed)} failed`,
      from: 'From',
      failed: 'Failed',
    },
  },
};
