// The maximum total cost of the rules of a schema, and the errors if it exceeds the limit.
import { staticDefinitionCostLimit } from '@instar/cel/kubernetes';
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';

const MAX_NAMED = 4;

export class TotalCost {
  #total = 0;
  #expensive: { path: FieldPath; cost: number }[] = [];

  add(path: FieldPath, cost: number): void {
    this.#total += cost;
    // Rules below a hundredth of the limit are not named.
    if (cost < staticDefinitionCostLimit / 100) return;
    this.#expensive.push({ path, cost });
    this.#expensive.sort((a, b) => b.cost - a.cost);
    this.#expensive.length = Math.min(this.#expensive.length, MAX_NAMED);
  }

  /** `path` is that of the whole schema. */
  errors(path: FieldPath): FieldError[] {
    if (this.#total <= staticDefinitionCostLimit) return [];
    const detail =
      'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const title = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#expensive.map((one) => fieldErrors.forbidden(one.path, detail)),
      fieldErrors.forbidden(path, costMessage(title, this.#total, staticDefinitionCostLimit)),
    ];
  }
}

export function costMessage(title: string, cost: number, limit: number): string {
  const hint =
    '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
  return `${title} exceeds budget by factor of ${factorText(cost / limit)} ${hint}`;
}

function factorText(factor: number): string {
  if (factor > 100) return 'more than 100x';
  return factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
}
