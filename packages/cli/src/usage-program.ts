// What all commands share on the command line: --version as other tools have it, a hint after a mistake, and
// its exit code.
import { Command, type CommandOptions, type ParseOptions } from 'commander';
import { COULD_NOT } from './exit-with-message.ts';

const VERSION_FLAGS: ReadonlySet<string | undefined> = new Set(['--version', '-v', '-V']);

/**
 * An unknown flag must not look like a finding. The server follows kube-apiserver, where every failure is 1.
 */
export class UsageProgram extends Command {
  constructor(name: string) {
    super(name);
    explain(this, name);
  }

  override addCommand(command: Command, options?: CommandOptions): this {
    if (command.name() !== 'serve') explain(command, `${this.name()} ${command.name()}`);
    return super.addCommand(command, options);
  }

  /** Only as the first word: after a command -v is its own, as with serve. */
  override parseAsync(argv: readonly string[] = process.argv, options?: ParseOptions): Promise<this> {
    const [node = '', script = '', first, ...rest] = argv;
    return super.parseAsync(VERSION_FLAGS.has(first) ? [node, script, 'version', ...rest] : argv, options);
  }
}

function explain(command: Command, path: string): void {
  const isGroup = command.name() === path || command.commands.length > 0;
  command.showHelpAfterError(`(${path} --help ${isGroup ? 'shows what there is' : 'lists every flag'})`);
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : COULD_NOT));
  for (const below of command.commands) explain(below, `${path} ${below.name()}`);
}
