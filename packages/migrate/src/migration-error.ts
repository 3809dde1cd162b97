// Why a migration or a retirement cannot be done as asked. The text is for whoever asked.
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
