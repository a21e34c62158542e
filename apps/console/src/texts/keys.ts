export const keys = {
  keys: {
    lead: 'What may call the service. A key ends with the key that made it.',
    empty: 'No key matches.',
    key: 'Key',
    kind: 'Kind',
    kinds: { api: 'API key', service: 'Service key' },
    madeBy: 'Made by',
    oneMaker: 'Made by one key',
    alsoMade: (maker: string) => `All keys made by …${maker}`,
    commandLine: 'Command line',
    lastUsed: 'Last used',
    expires: 'Expires',
    never: 'Never',
    revoked: 'Revoked',
    successor: 'Successor',
    newKey: 'The new key',
    once: 'It is shown this once: the service keeps a hash of it only.',
    copy: 'Copy',
    copied: 'Copied.',
    roll: 'Roll key',
    rollEnds: 'This key ends',
    rollExplains: 'A new key takes its place, and takes over the keys that this one made.',
    overlaps: [
      [0, 'now'],
      [3_600_000, 'in an hour'],
      [86_400_000, 'in a day'],
      [259_200_000, 'in three days'],
    ] as const,
    revoke: 'Revoke',
    sure: (others: number) =>
      others === 0
        ? 'No other key ends with it. It cannot be brought back.'
        : `${others === 1 ? '1 other key ends' : `${String(others)} other keys end`} with it, since it made them. None can be brought back.`,
    own: 'You are signed in with a key that ends now: you will be signed out.',
    confirm: (others: number) => (others === 0 ? 'Revoke it' : `Revoke all ${String(others + 1)}`),
  },
};
