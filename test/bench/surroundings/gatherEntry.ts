export { gatherSurroundings } from '../../../src/vscode/attachments/surroundings/gatherSurroundings.ts';
