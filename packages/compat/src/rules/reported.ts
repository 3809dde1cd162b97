// What other parts of the check report. As rules, they can be explained and excused by name.
import type { ReportedRule } from '../rule.ts';

const reported = (rule: Omit<ReportedRule, 'kind'>): ReportedRule => ({ kind: 'reported', ...rule });

export const unhandled = reported({
  id: 'unhandled',
  title: 'Something changed that no rule covers',
  severity: 'unsure',
  breaks: ['writers', 'readers'],
  explanation:
    'No rule of this check covers the keyword that changed: structural schemas do not allow it ($ref, definitions, patternProperties, …), or it is new in Kubernetes. The check cannot judge the change, and never ignores it silently.',
  instead: 'Review the change, and record an exception if it is fine.',
});

export const malformed = reported({
  id: 'malformed',
  title: 'A part of the definition has the wrong type',
  severity: 'unsure',
  breaks: ['operators'],
  explanation:
    'A value has another JSON type than a definition requires at this path. An API server refuses such a definition; the check ignores the part.',
  instead: 'Correct the definition: kubectl apply --dry-run=server shows what is wrong with it.',
});

export const ruleRefused = reported({
  id: 'rule-refused',
  title: 'A validation rule no longer compiles, or costs too much',
  severity: 'breaking',
  breaks: ['operators'],
  explanation:
    'The API server compiles validation rules against the types of the schema and estimates their maximum cost. A rule that was accepted can fail if a field that it uses is removed or loses its type, or if a limit that bounded its cost is removed: then the definition is refused.',
  instead: 'Change the rule together with the schema, or keep the limits that bound its cost.',
});

export const crdRemoved = reported({
  id: 'crd-removed',
  title: 'A definition was removed',
  severity: 'breaking',
  fundamental: true,
  breaks: ['writers', 'readers', 'stored objects', 'operators'],
  explanation:
    'Removing a definition from a cluster deletes all its objects. By the guidelines, dropping a resource requires a new major version.',
  instead: 'Deprecate all versions first, and document what replaces the resource.',
});

export const crdAdded = reported({
  id: 'crd-added',
  title: 'A definition was added',
  severity: 'safe',
  breaks: [],
  explanation: 'An additional resource breaks no client.',
  instead: 'Nothing to do.',
});

export const newerOnlyFields = reported({
  id: 'newer-only-fields',
  title: 'A newer served version has fields that an older one does not have',
  severity: 'caution',
  breaks: ['writers', 'stored objects'],
  explanation:
    'Without a conversion that preserves them, a client that reads an object through the older version and writes it back removes the fields that only the newer version declares. This is the rule of the talk: can a new object be applied as the old version, and nothing is different?',
  instead:
    'Add the fields to the older version too, or convert with a lens, which stashes what the older version cannot hold.',
});

export const objectsInvalid = reported({
  id: 'objects-invalid',
  title: 'Existing objects are not valid by the new schema',
  severity: 'breaking',
  breaks: ['stored objects', 'writers'],
  explanation:
    'The objects from --objects were validated against the new schema. Invalid ones can still be read; writes are refused, except for invalid values that a write leaves unchanged (Kubernetes 1.30 and later).',
  instead: 'Correct the objects first, or loosen the schema.',
});

export const objectsPruned = reported({
  id: 'objects-pruned',
  title: 'Existing objects have fields that the new schema prunes',
  severity: 'breaking',
  breaks: ['stored objects', 'readers'],
  explanation:
    'The objects from --objects have fields that the old schema keeps and the new one prunes at their next write.',
  instead: 'Keep the fields in the schema, or convert the objects first.',
});

export const executedRule = reported({
  id: 'executed-rule',
  title: 'A new object changes when it is applied as the old version',
  severity: 'breaking',
  breaks: ['writers', 'readers'],
  explanation:
    'The simplified rule of backwards compatibility: take a new object with only its required fields set, change its version to the old one, apply it; if nothing behaves differently, the change is compatible. Objects are generated from the new schema, first with required fields only and then with more, and are validated, pruned and defaulted by the old schema and then by the new one. Breaking if an object with only required fields is refused or changed; a caution if only objects with more fields are, at a field that no other finding is about: that an added field is lost is known without it.',
  instead: 'Make what is new optional, with unset meaning the old behavior.',
});

export const conversionLoss = reported({
  id: 'conversion-loss',
  title: 'The conversion loses something',
  severity: 'breaking',
  breaks: ['readers', 'stored objects'],
  explanation:
    'Objects were converted by the given lens or webhook to the other version and back: some failed, changed, or were not valid in the other version.',
  instead:
    'Correct the conversion: what a version cannot hold must be stashed, so that the conversion back restores it.',
});
