#!/usr/bin/env node
// The `instar` command as it is shipped. scripts/bundle.mjs copies this file into the bundle.
'use strict';
require('./chunks.js').load('./program.js');
