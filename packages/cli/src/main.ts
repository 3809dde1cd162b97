// The `instar` command. Only reads the command line; what a command needs is loaded when it runs.
import { endWithParent } from './end-with-parent.ts';
import { createProgram } from './program.ts';

endWithParent();

// Not awaited: the bundle consists of scripts, see docs/decisions/0003-one-bundle.md. A failure here still
// ends the process.
void createProgram().parseAsync();
