// The phase of a cluster, whether it is safe to continue, and what to do if not. Pure: facts in, report out.
import type { ClusterFacts, DefinitionFacts } from './cluster-facts.ts';
import type { Phase, PhaseFinding } from './finding.ts';
import { labellerFindings, objectFindings, storedVersionFindings, webhookFindings } from './findings.ts';

export interface PhaseReport {
  readonly phase: Phase;
  readonly title: string;
  /** Undefined: there is no further phase. */
  readonly next?: { readonly phase: Phase; readonly title: string };
  /** Nothing is blocked, and there is nothing to wait for. */
  readonly safe: boolean;
  readonly findings: readonly PhaseFinding[];
}

const TITLES: Readonly<Record<Phase, string>> = {
  0: 'nothing checks snapshots yet',
  1: 'the webhook alone is strict; v1beta1 is served and stored',
  2: 'v1 has the strict schema; v1beta1 is still stored',
  3: 'v1 is stored',
};

export interface ReportOptions {
  /** How long no object may have been invalid before the next phase; the KEP says 48 h. */
  readonly waitMs: number;
}

/** Which phase a cluster is in, and what must happen before the next. */
export function phaseReport(facts: ClusterFacts, options: ReportOptions): PhaseReport {
  const phase = phaseOf(facts);
  const findings = [...splitFindings(facts), ...findingsOf(facts, phase, options)];
  const safe = findings.every(({ level }) => level === 'ok' || level === 'caution');
  const next = phase === 3 ? undefined : ((phase + 1) as Phase);
  return {
    phase,
    title: TITLES[phase],
    ...(next !== undefined && { next: { phase: next, title: TITLES[next] } }),
    safe,
    findings,
  };
}

/** Of two definitions in different phases, the earlier one counts. */
function phaseOf({ definitions, webhooks }: ClusterFacts): Phase {
  const phase = Math.min(...definitions.map(definitionPhase)) as Phase;
  return phase === 1 && webhooks.length === 0 ? 0 : phase;
}

function definitionPhase({ served, storage }: DefinitionFacts): Phase {
  if (storage === '') return 0;
  if (storage === 'v1') return 3;
  return served.includes('v1') ? 2 : 1;
}

function splitFindings({ definitions }: ClusterFacts): PhaseFinding[] {
  const missing = definitions.filter(({ storage }) => storage === '');
  if (missing.length > 0)
    return missing.map(({ kind }) => ({
      level: 'blocked',
      text: `the definition of ${kind} is not installed`,
      todo: 'install the definitions of phase 1',
    }));
  const phases = definitions.map(definitionPhase);
  if (new Set(phases).size === 1) return [];
  const text = definitions.map(({ kind }, at) => `${kind} is in phase ${phases[at]}`).join(', ');
  return [
    {
      level: 'blocked',
      text,
      todo: `apply all definitions of phase ${Math.max(...phases)}, or go back to phase ${Math.min(...phases)} with all`,
    },
  ];
}

function findingsOf(facts: ClusterFacts, phase: Phase, { waitMs }: ReportOptions): PhaseFinding[] {
  if (phase === 0) return [...objectFindings(facts, phase), ...webhookFindings(facts, phase)];
  const always = [
    ...objectFindings(facts, phase),
    ...webhookFindings(facts, phase),
    ...labellerFindings(facts, waitMs),
  ];
  if (phase === 3) return [...always, ...storedVersionFindings(facts)];
  return phase === 2 ? [...always, LONGER_WAY_BACK] : always;
}

const LONGER_WAY_BACK: PhaseFinding = {
  level: 'caution',
  text: 'from phase 3 the definitions of phase 1 are refused: objects are then stored in v1, and would have to be migrated back first',
};
