// Events expire, and when is not in a backup: after a restore their time begins anew.
export const eventTtl =
  (prefix: string, seconds: number) =>
  (key: string): number | undefined =>
    key.startsWith(`${prefix}events/`) ? seconds : undefined;
