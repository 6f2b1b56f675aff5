"""Which tables a record goes to: rules, names of tables from templates, and their application to blocks of records."""
