// Backups of a store and copies from one to another: complete, at one revision, streamed.
export { type Backup, type BackupSummary, openBackup, writeBackup } from './backup-file.ts';
export { type Snapshot, snapshotOf } from './entries.ts';
export { type Filled, type FillOptions, fillStore, isUnfinished } from './fill.ts';
