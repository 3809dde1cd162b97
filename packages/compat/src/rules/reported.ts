// What other parts of the check report, so that it can be explained and excused by name like the rest.
import type { ReportedRule } from '../rule.ts';

const reported = (rule: Omit<ReportedRule, 'kind'>): ReportedRule => ({ kind: 'reported', ...rule });

export const unhandled = reported({
  id: 'unhandled',
  title: 'Something changed that no rule explains',
  severity: 'unsure',
  breaks: ['writers', 'readers'],
  explanation:
    'A keyword differs that no rule of this check looks at: one that structural schemas do not allow ($ref, definitions, patternProperties, …), or one that is new in Kubernetes. What it does is for you to judge; it is never passed over in silence.',
  instead: 'Look at the keyword, and record an exception if the change is fine.',
});

export const malformed = reported({
  id: 'malformed',
  title: 'A part of the definition is of the wrong type',
  severity: 'unsure',
  breaks: ['operators'],
  explanation:
    'Where a string, a list or a schema belongs stands something else. An API server refuses such a definition; the check leaves the part out.',
  instead: 'Correct the definition: kubectl apply --dry-run=server tells what is wrong with it.',
});

export const ruleRefused = reported({
  id: 'rule-refused',
  title: 'A validation rule no longer compiles, or costs too much',
  severity: 'breaking',
  breaks: ['operators'],
  explanation:
    'The API server compiles validation rules against the types of the schema and estimates what they cost at worst. A rule that worked can fail when a field that it names goes or loses its type, or when a limit goes that bounded its cost: the definition is refused then.',
  instead: 'Change the rule together with the schema, or keep the limits that bound its cost.',
});

export const crdRemoved = reported({
  id: 'crd-removed',
  title: 'A definition was removed',
  severity: 'breaking',
  fundamental: true,
  breaks: ['writers', 'readers', 'stored objects', 'operators'],
  explanation:
    'Removing a definition from a cluster deletes every object of it. By the guidelines dropping an entire resource is a new major version.',
  instead: 'Deprecate all versions first, and say where users find what replaces the resource.',
});

export const crdAdded = reported({
  id: 'crd-added',
  title: 'A definition was added',
  severity: 'safe',
  breaks: [],
  explanation: 'Nobody is broken by a resource more.',
  instead: 'Nothing to do.',
});

export const newerOnlyFields = reported({
  id: 'newer-only-fields',
  title: 'A newer served version holds fields that an older one does not',
  severity: 'caution',
  breaks: ['writers', 'stored objects'],
  explanation:
    'Without a conversion that carries them, a client that reads an object through the older version and writes it back removes what only the newer version declares. This is what the rule of the talk asks: can a new object be applied as the old version and nothing is different?',
  instead:
    'Add the fields to the older version too, or convert with a lens, which keeps what the older version cannot say.',
});

export const objectsInvalid = reported({
  id: 'objects-invalid',
  title: 'Objects that exist are not valid by the new schema',
  severity: 'breaking',
  breaks: ['stored objects', 'writers'],
  explanation:
    'The objects that were given with --objects were validated against the new schema. Those that fail can still be read; writing them is refused, save for values that a write leaves unchanged (Kubernetes 1.30 and later).',
  instead: 'Correct the objects first, or loosen the schema.',
});

export const objectsPruned = reported({
  id: 'objects-pruned',
  title: 'Objects that exist hold fields that the new schema drops',
  severity: 'breaking',
  breaks: ['stored objects', 'readers'],
  explanation:
    'The objects that were given with --objects hold fields that the old schema keeps and the new one drops at their next write.',
  instead: 'Keep the fields in the schema, or convert the objects first.',
});

export const executedRule = reported({
  id: 'executed-rule',
  title: 'A new object is another object when it goes through the old version',
  severity: 'caution',
  breaks: ['writers', 'readers'],
  explanation:
    'The simplified rule of backwards compatibility: take a new object with only its required fields set, change its version to the old one, apply it; if nothing behaves differently, the change is compatible. Objects are generated from the new schema, first with required fields only and then richer, and are validated, pruned and defaulted by the old schema and brought back. Breaking if an object with only required fields is refused or comes back changed; a caution if only richer ones do, as additive changes do.',
  instead: 'Make what is new optional, with unset meaning the old behavior.',
});

export const conversionLoss = reported({
  id: 'conversion-loss',
  title: 'The conversion loses something',
  severity: 'breaking',
  breaks: ['readers', 'stored objects'],
  explanation:
    'Objects went through the given lens or webhook to the other version and back: some failed, came back different, or were not valid on the other side.',
  instead:
    'Correct the conversion: what a version cannot say must be stashed, so that the way back finds it.',
});
