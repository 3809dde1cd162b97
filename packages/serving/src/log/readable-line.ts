// Formats a JSON line of the log for a terminal: time, level, message, fields. A stack follows on separate
// lines.

const COLORS: Readonly<Record<string, string>> = {
  debug: '\u001b[2m',
  info: '\u001b[36m',
  warn: '\u001b[33m',
  error: '\u001b[31m',
};
const RESET = '\u001b[0m';

interface Line {
  readonly level?: string;
  readonly time?: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
  readonly [field: string]: unknown;
}

export function readableLine(json: string, colors: boolean): string {
  const { level = 'info', time = '', msg = '', err, ...fields } = JSON.parse(json) as Line;
  const color = colors ? (COLORS[level] ?? '') : '';
  const label = `${color}${level.toUpperCase().padEnd(5)}${color === '' ? '' : RESET}`;
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${printed(value)}`);
  const stack = err?.stack === undefined ? '' : `\n${err.stack.replace(/^/gm, '    ')}`;
  return `${time.slice(11, 23)} ${label} ${msg}${rest.join('')}${stack}\n`;
}

function printed(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}
