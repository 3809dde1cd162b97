// Events expire, and a backup does not contain when: after a restore their time starts over.
export const eventTtl =
  (prefix: string, seconds: number) =>
  (key: string): number | undefined =>
    key.startsWith(`${prefix}events/`) ? seconds : undefined;
