// A field that was removed while a similar one was added.
import { fieldChangesOf } from '../fields/field-changes.ts';
import { shapeOf } from '../fields/likeness.ts';
import type { Change, SchemaRule } from '../rule.ts';
import type { NodePair } from '../walk/node-pair.ts';

const TLS = {
  type: 'object',
  required: ['hostname'],
  properties: { caCertRefs: { type: 'array', items: { type: 'string' } }, hostname: { type: 'string' } },
};

export const fieldRenamed: SchemaRule = {
  kind: 'schema',
  id: 'field-renamed',
  title: 'A field seems to be renamed or moved',
  severity: 'breaking',
  breaks: ['writers', 'readers', 'stored objects'],
  keywords: ['properties'],
  explanation:
    'A field was removed, and one with the same schema or a similar name was added beside it, or one with the same name and schema elsewhere. For clients that use the old name this is a removal: stored values are dropped at the next write unless they are converted. That the two fields belong together is a guess of this rule.',
  instead:
    'Rename in a new version and convert both ways (`instar check --lens FILE` runs the conversion), or add the new field, keep the old one, and let the controller read both.',
  examples: [
    {
      title: 'BackendTLSPolicy: tls becomes validation',
      old: { type: 'object', properties: { tls: TLS } },
      new: { type: 'object', properties: { validation: TLS } },
      severity: 'breaking',
    },
    {
      title: 'Widget: bar becomes a list of bars',
      old: { type: 'object', properties: { bar: { type: 'integer' } } },
      new: { type: 'object', properties: { bars: { type: 'array', items: { type: 'integer' } } } },
      severity: 'breaking',
    },
    {
      title: 'radius moves into a group',
      old: { type: 'object', properties: { radius: { type: 'integer', minimum: 1 } } },
      new: {
        type: 'object',
        properties: {
          roundConfig: { type: 'object', properties: { radius: { type: 'integer', minimum: 1 } } },
        },
      },
      severity: 'breaking',
    },
    {
      title: 'two fields that have nothing in common',
      old: { type: 'object', properties: { color: { type: 'string' } } },
      new: { type: 'object', properties: { weight: { type: 'integer' } } },
      severity: 'none',
    },
  ],
  compare: (pair) =>
    fieldChangesOf(pair).renamed.map(({ from, to, reason }) => renaming(pair, from, to, reason)),
};

function renaming({ old, new: next }: NodePair, from: string, to: string, reason: string): Change {
  const isSame = shapeOf(old.properties![from]!) === shapeOf(next.properties![to]!);
  return {
    severity: 'breaking',
    at: `.${from}`,
    message: `field seems to be renamed to ${to} (${reason})${isSame ? '' : ', and its schema changed'}`,
  };
}
