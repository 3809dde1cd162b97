// What a JavaScript module offers: functions and conversions by name, or a whole record of webhooks by path.
import { type AdmissionFunction, admission, type ConversionDefinition, type Webhook } from '@instar/webhook';
import { CommandFailure } from '../exit-with-message.ts';
import { importModule } from '../import-module.ts';
import { makeConversion } from './make-conversion.ts';

export interface Offered {
  readonly webhooks: ReadonlyMap<string, Webhook>;
  /** To be served together, at one path. */
  readonly conversions: readonly ConversionDefinition[];
}

const FUNCTIONS = ['validate', 'mutate', 'admit'] as const;

export async function loadModule(file: string): Promise<Offered> {
  const module = await importModule(file);
  const parts = [module, ...[module['default']].flat()].filter(isRecord);
  const conversions = parts.filter(isConversion);
  const webhooks = new Map(parts.flatMap((part) => [...functionsOf(part), ...webhooksOf(part, file)]));
  if (conversions.length === 0 && webhooks.size === 0) {
    throw new CommandFailure(
      `${file} exports nothing that could be served: validate, mutate, webhooks, or a conversion by default`,
      2,
    );
  }
  return { webhooks, conversions };
}

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isConversion = (part: Fields): part is Fields & ConversionDefinition =>
  isRecord(part['convert']) || isRecord(part['lens']);

function functionsOf(part: Fields): [string, Webhook][] {
  return FUNCTIONS.flatMap((name) =>
    typeof part[name] === 'function' ? [[`/${name}`, admission(part[name] as AdmissionFunction)]] : [],
  );
}

function webhooksOf(part: Fields, file: string): [string, Webhook][] {
  const { webhooks } = part;
  if (!isRecord(webhooks)) return [];
  return Object.entries(webhooks).map(([path, value]) => [path, webhookOf(value) ?? unservable(file, path)]);
}

function webhookOf(value: unknown): Webhook | undefined {
  if (typeof value === 'function') return admission(value as AdmissionFunction);
  if (Array.isArray(value))
    return value.every((one) => isRecord(one) && isConversion(one)) ? makeConversion(value) : undefined;
  if (!isRecord(value)) return undefined;
  if (typeof value['answer'] === 'function') return value as unknown as Webhook;
  return isConversion(value) ? makeConversion([value]) : undefined;
}

function unservable(file: string, path: string): never {
  throw new CommandFailure(
    `${file}: what is to be served at ${path} is neither a function, nor a conversion, nor a webhook`,
    2,
  );
}
