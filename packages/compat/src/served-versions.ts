// Versions that are served side by side: can the newer hold everything that the older can? Differences that
// existed before the change are not reported again. With a webhook the answer depends on the webhook: to
// carry what differs is its purpose, so those findings are cautions.
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '@instar/crd';
import { checkSchemas, type SchemaFinding } from './check-schemas.ts';
import { type Finding, identityOf } from './finding.ts';
import { findingOf } from './finding-of.ts';
import { newerOnlyFields } from './rules/reported.ts';
import { compareVersions } from './version-order.ts';
import type { PairContext } from './walk/node-pair.ts';

export function checkServedVersions(
  was: CustomResourceDefinition,
  is: CustomResourceDefinition,
  context: PairContext,
): Finding[] {
  const after = pairsOf(is);
  if (after.length === 0) return [];
  const known = new Set(
    sharedPairs(was, is)
      .flatMap((pair) => comparePair(was, pair, context))
      .map(identityOf),
  );
  return after
    .flatMap((pair) => comparePair(is, pair, context))
    .filter((finding) => !known.has(identityOf(finding)));
}

type VersionPair = readonly [older: CustomResourceDefinitionVersion, newer: CustomResourceDefinitionVersion];

function pairsOf({ spec }: CustomResourceDefinition): VersionPair[] {
  const served = spec.versions.filter(
    ({ served, schema }) => served && schema?.openAPIV3Schema !== undefined,
  );
  const ordered = served.sort((a, b) => compareVersions(a.name, b.name));
  return ordered.flatMap((older, index) =>
    ordered.slice(index + 1).map((newer): VersionPair => [older, newer]),
  );
}

/** The pairs of the old definition that the new one has too, with the same conversion strategy. */
function sharedPairs(was: CustomResourceDefinition, is: CustomResourceDefinition): VersionPair[] {
  if (was.spec.conversion?.strategy !== is.spec.conversion?.strategy) return [];
  const isDefined = ({ name }: CustomResourceDefinitionVersion): boolean =>
    is.spec.versions.some((version) => version.name === name);
  return pairsOf(was).filter(([older, newer]) => isDefined(older) && isDefined(newer));
}

function comparePair(
  crd: CustomResourceDefinition,
  [older, newer]: VersionPair,
  context: PairContext,
): Finding[] {
  const found = checkSchemas(older.schema!.openAPIV3Schema!, newer.schema!.openAPIV3Schema!, context);
  const converts = crd.spec.conversion?.strategy === 'Webhook' || context.converted === true;
  const location = { version: older.name, toVersion: newer.name };
  const lost = found.filter(({ change }) => change.severity === 'breaking' || change.severity === 'unsure');
  return [
    ...lost.map(({ rule, change, path }) => {
      const severity = SHOWN_ONLY.has(rule.id) ? 'caution' : converts ? 'caution' : change.severity;
      const message = `${change.message}; ${converts ? 'the webhook must convert it' : 'lost if there is no conversion webhook'}`;
      return findingOf(rule, { ...change, severity, message }, crd, 'served-versions', { ...location, path });
    }),
    ...onlyInNewer(found, crd, location, converts),
  ];
}

/** The two versions show the same object differently, but nothing is lost. */
const SHOWN_ONLY = new Set(['default-added', 'default-removed', 'default-changed', 'enum-value-added']);

function onlyInNewer(
  found: readonly SchemaFinding[],
  crd: CustomResourceDefinition,
  location: { version: string; toVersion: string },
  converts: boolean,
): Finding[] {
  const fields = found.filter(({ rule }) => rule.id === 'field-added').map(({ path }) => path);
  if (fields.length === 0 || converts) return [];
  const some = fields.slice(0, 5).join(', ') + (fields.length > 5 ? ', …' : '');
  const message = `${fields.length} ${fields.length === 1 ? 'field' : 'fields'} of ${location.toVersion} ${fields.length === 1 ? 'is' : 'are'} lost when an object is written through ${location.version}: ${some}`;
  return [findingOf(newerOnlyFields, { severity: 'caution', message }, crd, 'served-versions', location)];
}
