"""Words of papers that book nothing here: accounts, transfers, taxes, costs, orders."""
