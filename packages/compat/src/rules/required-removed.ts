// A field that was required and is now optional.
import { isServerField } from '../fields/field-changes.ts';
import type { SchemaRule } from '../rule.ts';
import { requiredOf } from '../walk/node-pair.ts';

const SIZE = { size: { type: 'integer' } };

export const requiredRemoved: SchemaRule = {
  kind: 'schema',
  id: 'required-removed',
  title: 'A required field became optional',
  severity: 'caution',
  breaks: ['readers'],
  keywords: ['required'],
  explanation:
    'Loosening: everything that was valid still is. But clients built for the old schema rely on the field being set, and can now receive objects without it. It cannot be required again in this version.',
  instead: 'Give the field a default that keeps its old meaning, so that readers always find it.',
  examples: [
    {
      title: 'an existing field becomes optional',
      old: { type: 'object', required: ['size'], properties: SIZE },
      new: { type: 'object', properties: SIZE },
      severity: 'caution',
    },
  ],
  compare: (pair) => {
    const is = requiredOf(pair.new);
    return [...requiredOf(pair.old)]
      .filter(
        (name) =>
          !is.has(name) && !isServerField(pair, name) && Object.hasOwn(pair.new.properties ?? {}, name),
      )
      .map((name) => ({
        severity: 'caution',
        at: `.${name}`,
        message: 'required field became optional: readers might rely on it',
      }));
  },
};
