// Census of stored versions, storage migration and retirement of versions, through the API of any Kubernetes
// server.
export {
  crdName,
  readDefinition,
  requireVersion,
  storageVersionOf,
} from './definition/definition.ts';
export { switchStorage } from './definition/switch-storage.ts';
export { type LensTask, migrateByLens } from './lens/migrate-by-lens.ts';
export { MigrationError } from './migration-error.ts';
export { doStep, undoStep } from './retire/do-step.ts';
export { RetirementJournal } from './retire/journal.ts';
export { printSteps } from './retire/print-steps.ts';
export { type RetirementState, readRetirementState } from './retire/retirement-state.ts';
export { type RetirementStep, stepsOf } from './retire/steps.ts';
export { type Migrated, type MigrateOptions, migrate, type Progress } from './run/migrate.ts';
export { type ReportEntry, totalOf } from './run/outcome.ts';
export { Pace } from './run/pace.ts';
export type { Pruning } from './run/prove-and-prune.ts';
export { StateFile } from './run/state-file.ts';
export { printStored } from './stored/print-stored.ts';
export { readStored } from './stored/read-stored.ts';
