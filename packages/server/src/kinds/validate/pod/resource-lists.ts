// Amounts of resources by name, as containers and pods request them.
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  parseQuantity,
  type Quantity,
} from '@instar/go';
import type { Container, PodSpec, ResourceList } from './pod-types.ts';

const ZERO = parseQuantity('0') as Quantity;

/** Of a text that was decoded, and so can be parsed. */
export function quantityOf(text: string | undefined): Quantity {
  const parsed = parseQuantity(text ?? '0');
  return typeof parsed === 'string' ? ZERO : parsed;
}

/** Amounts below a thousandth are rounded up, as upstream does with every list of resources. */
export function roundQuantities(list: ResourceList | undefined): void {
  for (const [name, text] of Object.entries(list ?? {}))
    if (/[nu]$|\.|e-/.test(text)) list![name] = roundedToMilli(text);
}

function roundedToMilli(text: string): string {
  const { unscaled, scale } = quantityOf(text);
  if (scale >= -3) return text;
  const divisor = 10n ** BigInt(-3 - scale);
  const magnitude = unscaled < 0n ? -unscaled : unscaled;
  const rounded = (magnitude + divisor - 1n) / divisor;
  const canonical = canonicalQuantity(`${unscaled < 0n ? '-' : ''}${rounded}m`);
  return 'text' in canonical ? canonical.text : text;
}

/** The sum in the format of the first amount that is not zero. */
function sum(a: string, b: string): string {
  const total = addQuantities(quantityOf(a), quantityOf(b));
  const text = total.scale >= 0 ? `${total.unscaled}${'0'.repeat(total.scale)}` : decimal(total);
  const format = quantityOf(quantityOf(a).unscaled === 0n ? b : a).format;
  return printIn(format, text);
}

/** In thousandths if that is exact, otherwise in the smallest unit. */
function decimal({ unscaled, scale }: Quantity): string {
  const [exponent, unit] = scale >= -3 ? [3, 'm'] : [9, 'n'];
  return `${unscaled * 10n ** BigInt(scale + exponent)}${unit}`;
}

function printIn(format: Quantity['format'], text: string): string {
  if (format === 'BinarySI' && /^-?\d+$/.test(text)) {
    const bytes = BigInt(text);
    if (bytes % 1024n === 0n) return canonicalText(`${bytes / 1024n}Ki`);
  }
  return canonicalText(format === 'DecimalExponent' && /\d$/.test(text) ? `${text}e0` : text);
}

function canonicalText(text: string): string {
  const canonical = canonicalQuantity(text);
  return 'text' in canonical ? canonical.text : text;
}

export function addTo(total: ResourceList, more: ResourceList | undefined): void {
  for (const [name, amount] of Object.entries(more ?? {}))
    total[name] = Object.hasOwn(total, name) ? sum(total[name]!, amount) : amount;
}

function raiseTo(total: ResourceList, other: ResourceList): void {
  for (const [name, amount] of Object.entries(other))
    if (!Object.hasOwn(total, name) || isMore(amount, total[name]!)) total[name] = amount;
}

export const isMore = (a: string, b: string): boolean => compareQuantities(quantityOf(a), quantityOf(b)) > 0;

export const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

/**
 * What the containers of a pod need together: the sum of those that run at the same time, or what an init
 * container needs while it runs alone, whichever is more.
 */
export function aggregated(spec: PodSpec, part: 'requests' | 'limits'): ResourceList {
  const total: ResourceList = {};
  for (const container of spec.containers ?? []) addTo(total, container.resources[part]);
  const sidecars: ResourceList = {};
  const alone: ResourceList = {};
  for (const container of spec.initContainers ?? []) {
    const amounts = container.resources[part];
    if (isSidecar(container)) {
      addTo(total, amounts);
      addTo(sidecars, amounts);
      raiseTo(alone, sidecars);
    } else {
      const during = { ...sidecars };
      addTo(during, amounts);
      raiseTo(alone, during);
    }
  }
  raiseTo(total, alone);
  return total;
}
