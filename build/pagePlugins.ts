import type { Plugin } from 'esbuild';
import { fontsAsFiles } from './fontsAsFiles.ts';
import { languagesByThemselves } from './languagesByThemselves.ts';
import { lexerOfMarked } from './lexerOfMarked.ts';
import { workersAsText } from './workersAsText.ts';

/** What bundling a page needs besides esbuild, for the extension, its tests, and the benchmark. */
export const pagePlugins: Plugin[] = [fontsAsFiles, languagesByThemselves, lexerOfMarked, workersAsText];
