/* What benchmarks/dicts.py compares with: no evaluation can do less with dicts than this.
 *
 * Each score of the run is read, and each judged document is looked up. Nothing is checked, nothing is
 * ranked. Returns the sum of the scores of judged documents.
 */
#include <Python.h>

double walk_and_look_up(PyObject *qrels, PyObject *run)
{
    PyObject *query, *documents, *document, *number;
    Py_ssize_t q = 0;
    double all = 0, judged = 0;
    while (PyDict_Next(run, &q, &query, &documents)) {
        Py_ssize_t d = 0;
        while (PyDict_Next(documents, &d, &document, &number))
            all += PyFloat_AS_DOUBLE(number);
        PyObject *own = PyDict_GetItem(qrels, query);
        d = 0;
        while (own && PyDict_Next(own, &d, &document, &number))
            if ((number = PyDict_GetItem(documents, document)))
                judged += PyFloat_AS_DOUBLE(number);
    }
    return judged + 0 * all;
}
