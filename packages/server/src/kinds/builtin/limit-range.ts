// v1 LimitRange: how much each pod, container or claim of a namespace may use.

import { goStruct } from '@instar/kinds';
import { isJsonObject, type JsonObject } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { NAME_AND_CREATED_AT } from '../table/columns.ts';
import { objectsAt } from '../table/values.ts';
import { type LimitRange, validateLimitRange } from '../validate/limit-range.ts';

/** What is not said of containers follows from what is: limits from the most, requests from limits. */
function fillIn(range: JsonObject): void {
  for (const limit of objectsAt(range, 'spec', 'limits')) {
    if (limit['type'] !== 'Container') continue;
    const standard = { ...amountsOf(limit, 'max'), ...amountsOf(limit, 'default') };
    const request = { ...amountsOf(limit, 'min'), ...standard, ...amountsOf(limit, 'defaultRequest') };
    if (Object.keys(standard).length > 0) limit['default'] = standard;
    if (Object.keys(request).length > 0) limit['defaultRequest'] = request;
  }
}

const amountsOf = (limit: JsonObject, name: string): JsonObject =>
  isJsonObject(limit[name]) ? limit[name] : {};

export const limitRanges = defineKind({
  plural: 'limitranges',
  kind: 'LimitRange',
  shortNames: ['limits'],
  namespaced: true,
  storagePath: 'limitranges/',
  versions: [
    {
      group: '',
      version: 'v1',
      type: goStruct('core/v1.LimitRange'),
      fillIn,
      columns: NAME_AND_CREATED_AT,
    },
  ],
  strategy: {
    prepareForCreate: ({ metadata }) => {
      metadata.name ??= crypto.randomUUID();
    },
    validateCreate: (range) => validateLimitRange(range as LimitRange),
    validateUpdate: (range) => validateLimitRange(range as LimitRange),
  },
});
