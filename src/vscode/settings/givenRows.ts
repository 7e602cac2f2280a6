/**
 * The rows that a command from a menu is about. VS Code passes the row that was clicked, or the focused one to a command
 * in the title of a view, and then all selected rows if there are several: for a clicked row only if it's one of them.
 * In the Explorer, rows are URIs.
 */
export function givenRows(clicked: unknown, selected: unknown): readonly unknown[] {
  return Array.isArray(selected) && selected.length > 0 ? selected : [clicked];
}
