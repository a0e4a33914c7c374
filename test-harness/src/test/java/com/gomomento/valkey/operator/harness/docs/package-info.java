/** The pages of this repository: links lead somewhere, commands do what they say. */
package com.gomomento.valkey.operator.harness.docs;
