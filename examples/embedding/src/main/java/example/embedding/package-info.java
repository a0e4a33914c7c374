/** The operator's loop in a simulation of one's own: see {@code docs/EMBEDDING.md}. */
package example.embedding;
